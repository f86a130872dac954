/** The base of the errors that the engine throws on purpose, because of the values that it was given. */
export class DiceFault extends Error {
  override readonly name: string = 'DiceFault'
}

/** A field that does not fit the others. */
export interface FieldFault {
  field: string
  message: string
}
