import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import type { Address } from '#payments/types'
import { TextField } from '#views/ui/form.tsx'

/** `DE` is Germany. */
function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(currentFormats().language, { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

/** Its lines, as on an envelope. */
export const addressLines = (address: Address | null): string[] =>
  address
    ? [
        address.line1,
        address.line2,
        [address.postalCode, address.city].filter(Boolean).join(' '),
        address.region,
        address.country && countryName(address.country),
      ].filter((line): line is string => Boolean(line))
    : []

/** `Berlin, Germany`. */
export const placeText = (address: Address | null): string =>
  [address?.city, address?.country && countryName(address.country)].filter(Boolean).join(', ')

interface AddressFieldsProps {
  /** What the IDs of the fields begin with. */
  id: string
  /** Of the address among the fields of the form. */
  name?: string
  address?: Address | null | undefined
}

export const AddressFields = ({ id, name: parent = 'address', address }: AddressFieldsProps) => {
  const field = (name: keyof Address) => ({
    name: `${parent}[${name}]`,
    id: `${id}-${name.toLowerCase()}`,
    value: address?.[name] ?? '',
    autocomplete: 'off',
  })
  return (
    <>
      <TextField label="Street" maxlength={200} {...field('line1')} />
      <TextField label="Address line 2" maxlength={200} {...field('line2')} />
      <div class="fields">
        <TextField label="Postal code" maxlength={20} {...field('postalCode')} />
        <TextField label="City" maxlength={100} {...field('city')} />
      </div>
      <div class="fields">
        <TextField label="State or region" maxlength={100} {...field('region')} />
        <TextField label="Country" maxlength={2} hint="Two letters, such as DE." {...field('country')} />
      </div>
    </>
  )
}
