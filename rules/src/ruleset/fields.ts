import { MAX_FORMULA_LENGTH } from '../formula/read.ts'
import { type Static, type TSchema, Type } from '../type.ts'

/** The largest number that is stored on a sheet, and its negative the smallest. */
export const MAX_STORED = 1_000_000

export const NAME_PATTERN = '^[a-z][a-z0-9]*(_[a-z0-9]+)*$'

/** Validation messages repeat the description after "must be". */
export const RuleName = (description = 'a snake_case name: lower-case letters and digits, with single underscores between') =>
  Type.String({ pattern: NAME_PATTERN, maxLength: 64, description, examples: ['strength'] })

export const Label = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: [example] })

export const Prose = (description: string, example: string) => Type.String({ maxLength: 2000, description, examples: [example] })

export const Stored = (description: string, example: number) =>
  Type.Integer({ minimum: -MAX_STORED, maximum: MAX_STORED, format: 'int32', description, examples: [example] })

/** A formula whose result is a number. Most are short enough to be a number themselves. */
export const NumberFormula = (description: string, example: string | number) =>
  Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    minLength: 1,
    maxLength: MAX_FORMULA_LENGTH,
    minimum: -MAX_STORED,
    maximum: MAX_STORED,
    description,
    examples: [example],
  })

/** A formula whose result is a yes or no. */
export const TruthFormula = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: MAX_FORMULA_LENGTH, description, examples: [example] })

/** Named parts, in the order in which they are shown. */
export const Named = <S extends TSchema>(part: S, maxProperties: number, description: string) =>
  Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    propertyNames: RuleName(),
    additionalProperties: part,
    maxProperties,
    description,
  })

export const closed = { additionalProperties: false } as const
