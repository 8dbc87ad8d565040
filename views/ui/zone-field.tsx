import { SelectField } from './field.tsx'

interface ZoneFieldProps {
  label: string
  name: string
  id?: string
  hint?: string
  /** The zone chosen so far; without it the browser's own. */
  value?: string
}

/** A choice of an IANA time zone; the browser knows the list, so it isn't sent with every page. */
export const ZoneField = ({ value, ...names }: ZoneFieldProps) => (
  <zone-choice data-chosen={value !== undefined}>
    <SelectField {...names} options={[zoneOption(value ?? 'UTC')]} />
  </zone-choice>
)

const zoneOption = (zone: string) => ({ value: zone, label: zone })
