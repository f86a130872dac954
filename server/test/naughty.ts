const lines = (text: string) => text.split('\n').filter(Boolean)

// Texts that have broken other programs, one per line where possible.

const VALUE_LOOKALIKES = lines(`
undefined
null
NULL
(null)
None
true
NaN
-Infinity
0
-0
1e400
0x7fffffff
2147483648
-9223372036854775809
9007199254740993
1/0
2026-02-30
{}
{"name":"a"}
[object Object]
__proto__
constructor
toString
hasOwnProperty
company_id
=1+1
=HYPERLINK("http://example.com","a")
CON
`)

const CODE = lines(String.raw`
'
"
'"
\
\\
;
--
' OR '1'='1
' OR 1=1 --
'; DROP TABLE users; --
1; SELECT pg_sleep(10)
' UNION SELECT key_hash, NULL FROM api_keys --
' || pg_sleep(10) || '
$1
$$
$tag$ ' $tag$
:name
?
E'\x41'
U&'\0041'
\N
\.
%
_
%_%
<script>alert(1)</script>
"><img src=x onerror=alert(1)>
<!--
<![CDATA[
<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>
&lt;&amp;&#39;&#x0;
<a href="data:text/html,x">y</a>
$(id)
${'`'}id${'`'}
| id
--help
$HOME
${'$'}{7*7}
{{7*7}}
<%= 7*7 %>
${'$'}{jndi:ldap://127.0.0.1/a}
%s%s%s%s%n
%1$s
{0}
%00
%0d%0aSet-Cookie: a=b
%c0%ae%c0%ae/
%
%zz
../../../etc/passwd
..\..\..\windows\win.ini
/etc/passwd
file:///etc/passwd
//example.com/
.
..
*
a/b
a?b=c#d
a&b=c
a+b c%20d
http://169.254.169.254/latest/meta-data/
() { :;}; echo a
process.exit(1)
^(a+)+$
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!
\u0000
\x00
\ud800
\n
`)

const SCRIPTS = lines(`
Ω≈ç√∫˜µ≤≥÷
åß∂ƒ©˙∆˚¬…æ
ÅÍÎÏ˝ÓÔÒÚÆ☃
Straße STRASSE ﬁ ﬀ ĳ
İstanbul ı i I ſ K Å
ΌΣΟΣ όσος
ЁЂЃЄЅІЇ
田中さんにあげて下さい
ㅂㅈㄷㄱㅅ 한글 한글
𠜎𠜱𠝹 𪚥
מְנַשֶּׁה
مُنَاقَشَةُ سُبُلِ
הָיְתָהtestالصفحات
नमस्ते क्षत्रिय
ไทย น้ำ ส้ม
ᠮᠣᠩᠭᠣᠯ
𓀀𓂀 𐎀 𒀀
Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮
ﷺ ﷽
Ⓐ ⑴ ½ ² ™ №
ｆｕｌｌ ｗｉｄｔｈ ﾊﾝｶｸ
ɥsᴉlƃuƎ
𝕯𝖊𝖆𝖙𝖍 𝒸𝓊𝓇
раураl аdmin
ՏⅭЅ ΑΒΕ
♥️ ❤ 🎲 🐉 ⚔️
👨‍👩‍👧‍👦 🏳️‍🌈 🧙🏽‍♀️ 👩🏿‍🚀
🇩🇪🇫🇷🇦 🏴󠁧󠁢󠁳󠁣󠁴󠁿
1️⃣ #️⃣ *️⃣
(╯°□°）╯︵ ┻━┻
“quoted” ‘so’ «and» „so“ ′″
‐ ‑ ‒ – — ― − …
¡¿ § ¶ † ‡ • ‰
`)

/** Texts that one line of source code cannot show. */
const INVISIBLE = [
  `a${String.fromCharCode(...Array.from({ length: 31 }, (_, i) => i + 1))}b`,
  'a\u007fb\u0080\u0085\u009fc',
  'a\r\nb',
  'a\r\nSet-Cookie: c=d\r\n\r\n<html>',
  'a\u0000',
  '\u0000',
  'a\ud800',
  '\udfb2a',
  '\udfb2\ud83c',
  '\u{10ffff}',
  '\ufffe\uffff\ufdd0',
  '\ufffd',
  '\ufeffa\ufeff',
  'a\ufeffb',
  'a\u00adb\u200bc\u200cd\u200de\u2060f',
  '\u200b',
  '\u2800',
  '\u3164',
  '\u115f\u1160',
  '\u034f\u061c\u180e',
  '\u00a0a\u00a0',
  '\u2003a\u3000',
  'a\u2028b\u2029c',
  '\u202egnp.exe',
  '\u202aa\u202bb\u202cc\u202dd',
  '\u2066a\u2067b\u2068c\u2069',
  'a\u200eb\u200fc',
  'e\u0301 \u00e9',
  '\u1100\u1161\u11a8 \uac01',
  '\u0301',
  '\u0301\u0302\u0303',
  `a${'\u0301'.repeat(90)}`,
  '\ufe0f',
  '\u{e0001}\u{e0041}\u{e007f}',
  '\ue000\uf8ff\u{f0000}',
  ' a ',
  '\ta\n',
  'a  b',
  ' ',
  '\u00a0',
  '\u3000',
  '',
  '\u001b[31mred\u001b[0m\u0007',
  'a\u0008\u0008b',
  'x'.repeat(100),
  'x'.repeat(101),
  '🎲'.repeat(100),
  ` ${'é'.repeat(100)} `,
  'e\u0301'.repeat(50),
  'x'.repeat(500),
  'x'.repeat(501),
  `${'word '.repeat(1999)}`,
  '🐉'.repeat(10_000),
  'x'.repeat(10_001),
  'x'.repeat(20_001),
  '\\'.repeat(99),
  '"'.repeat(99),
  "'".repeat(99),
  '%'.repeat(99),
  '<'.repeat(99),
]

export const NAUGHTY = [...new Set([...VALUE_LOOKALIKES, ...CODE, ...SCRIPTS, ...INVISIBLE])]
