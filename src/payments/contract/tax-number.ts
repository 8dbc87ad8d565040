import { invalid } from '#lib/errors.ts'

/** After the prefix, of the VAT numbers of the EU and of Northern Ireland (VIES). */
const formats: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
}

const anyNumber = /^[A-Z0-9][A-Z0-9 ./+*&-]{2,29}$/

/**
 * As it is stored: VAT numbers of the EU without spaces and signs, others as they are written. Numbers without a prefix
 * are national ones, which have no common format. @throws {Problem} 422 that names `path`
 */
export function checkTaxNumber(text: string | null, country: string | null, path = 'taxNumber'): string | null {
  if (text === null) return null
  const written = text.trim().toUpperCase().replaceAll(/\s+/g, ' ')
  const compact = withoutSigns(written)
  const prefix = prefixOf(compact, country)
  if (prefix === null && anyNumber.test(written)) return written
  if (prefix !== null && formats[prefix]?.test(compact.slice(2))) return compact
  throw invalid([
    {
      path,
      message: prefix
        ? `Must be a VAT number of ${prefix}, such as ${examples[prefix] ?? `${prefix}12345678`}.`
        : 'Must be a tax number of 3 to 30 letters and digits.',
    },
  ])
}

/** Of a VAT number of the EU or Northern Ireland; null for other tax numbers. */
export function vatPrefixOf(taxNumber: string | null): string | null {
  const compact = withoutSigns((taxNumber ?? '').toUpperCase())
  const prefix = compact.slice(0, 2)
  return formats[prefix]?.test(compact.slice(2)) ? prefix : null
}

export interface TaxedParty {
  taxNumber: string | null
  address: { country: string | null } | null
}

/**
 * The member state of a VAT number of the EU; null for other tax numbers, and with an address outside of the EU. Northern
 * Ireland’s numbers are of the EU for goods only, and invoices don’t tell goods from services.
 */
export function vatCountryOf({ taxNumber, address }: TaxedParty): string | null {
  const prefix = vatPrefixOf(taxNumber)
  const country = address?.country ?? null
  return prefix === 'XI' || (country !== null && !isOfEu(country)) ? null : prefix
}

const isOfEu = (country: string): boolean => Object.hasOwn(formats, country === 'GR' ? 'EL' : country)

const withoutSigns = (text: string): string => text.replaceAll(/[\s./-]/g, '')

/** Numbers of other countries can begin with the same letters, but then more of them follow. */
function prefixOf(compact: string, country: string | null): string | null {
  const prefix = compact.slice(0, 2)
  if (!Object.hasOwn(formats, prefix)) return null
  return (country !== null && isOfEu(country)) || (country === null && /^..\d/.test(compact)) ? prefix : null
}

const examples: Readonly<Record<string, string>> = {
  AT: 'ATU12345678',
  BE: 'BE0123456789',
  DE: 'DE123456789',
  EL: 'EL123456789',
  ES: 'ESX1234567X',
  FR: 'FR12345678901',
  IE: 'IE1234567X',
  IT: 'IT12345678901',
  NL: 'NL123456789B01',
  PL: 'PL1234567890',
  SE: 'SE123456789012',
}
