/** An invisible character behind an @, because a mention notifies people even behind a backslash. */
const ZERO_WIDTH_SPACE = '\u200b'

/** Escapes a text that people wrote and that does not begin a line. */
export const escapeInline = (text: string): string =>
  text
    .replace(/[\\`*_~|<>[\]#:&]/g, '\\$&')
    .replace(/@/g, `@${ZERO_WIDTH_SPACE}`)
    .replace(/(www)\./gi, '$1\\.')

/**
 * Escapes a text that people wrote, so that Markdown shows it as written: CommonMark, its GitHub dialect and that of Discord. There is no emphasis, link,
 * image, code, heading, quote, list, spoiler or emoji in the result, and no mention: an invisible character follows each @. Spaces that begin a line are
 * removed, because four of them begin code.
 */
export const escapeMarkdown = (text: string): string =>
  escapeInline(text.replace(/^[ \t]+/gm, ''))
    .replace(/^[-+=]/gm, '\\$&')
    .replace(/^(\d+)([.)])/gm, '$1\\$2')
