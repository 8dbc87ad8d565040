import { z } from 'zod'
import { lineText, nullableField } from '#lib/text.ts'
import { Country } from './countries.ts'

const line = (max: number) => nullableField(lineText(max)).default(null)

/** Null when every line is empty, as in a form. */
export const AddressInput = z
  .object({
    line1: line(200),
    line2: line(200),
    postalCode: line(20),
    city: line(100),
    region: line(100).describe('State, province or county.'),
    country: nullableField(Country).default(null).describe('ISO 3166-1, such as DE.'),
  })
  .nullable()
  .transform((address) => (Object.values(address ?? {}).some((part) => part !== null) ? address : null))

export const Address = z.object({
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  postalCode: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  country: z.string().nullable().describe('ISO 3166-1, such as DE.'),
})
export type Address = z.output<typeof Address>
