import type { FacesSeen } from '@guildhall/client'
import { Bars } from '../../charts/bars.tsx'
import { Section } from '../../ui/page.tsx'
import { text } from './text.ts'

/** The faces of each kind of dice against what fair dice show. */
export function Faces({ faces }: { faces: FacesSeen[] }) {
  const words = text.faces
  return (
    <Section title={words.title} class="whole">
      {faces.length === 0 ? (
        <p class="quiet">{words.none}</p>
      ) : (
        <>
          <p class="quiet faces-about">{words.about}</p>
          <ul class="cards faces">
            {faces.map((seen) => (
              <li key={seen.sides} class={seen.sides > 12 ? 'card broad' : 'card'}>
                <FacesOf seen={seen} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

function FacesOf({ seen: { sides, dice, expected, observed, chi_square, p_value } }: { seen: FacesSeen }) {
  const words = text.faces
  return (
    <>
      <Bars
        title={words.chart(sides, dice)}
        summary={words.summary(sides, expected, Math.min(...observed), Math.max(...observed))}
        columns={words.columns}
        format={text.number}
        bars={observed.map((value, index) => ({ label: String(index + 1), value, expected }))}
      />
      <p>{words.fairness(expected, p_value)}</p>
      <p class="hint">{words.exact(chi_square, p_value)}</p>
    </>
  )
}
