import type { Draw } from './draw.ts'
import { DiceFault } from './fault.ts'

/** Thrown if faces from the table do not fit the roll. The message follows the name of the field. */
export class ManualFault extends DiceFault {
  override readonly name: string = 'ManualFault'
}

interface ManualDraw extends Draw {
  /** No words of a seed are used. */
  used: number
  faces: Map<number, number[]>
  /** Throws if faces are left over. */
  end(): void
}

/** Draws the faces that were rolled at the table, in turn. */
export function drawGiven(faces: number[]): ManualDraw {
  let next = 0
  const draw = (sides: number, lowest = 1) => {
    const face = faces[next]
    if (face === undefined) throw new ManualFault(`has ${faces.length} faces, but the roll needs more dice`)
    if (face < lowest || face > lowest + sides - 1)
      throw new ManualFault(`has the face ${face} in place ${next + 1}, but the die has the faces ${lowest} to ${lowest + sides - 1}`)
    next++
    return face - lowest
  }
  const end = () => {
    if (next < faces.length) throw new ManualFault(`has ${faces.length} faces, but the roll has ${next} dice`)
  }
  return Object.assign(draw, { used: 0, faces: new Map<number, number[]>(), end })
}
