/** Some browsers list zones by names that IANA has replaced. @type {Record<string, string>} */
const renamed = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** @param {string} zone */
const canonical = (zone) => renamed[zone] ?? zone

export const ownZone = () => canonical(Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Canonical IANA names without fixed offsets, by city. @returns {string[]} */
export const allZones = () =>
  [...new Set([...Intl.supportedValuesOf('timeZone').map(canonical), 'UTC'])]
    .filter((zone) => !zone.startsWith('Etc/'))
    .sort((one, other) => cityOf(one).localeCompare(cityOf(other)))

/** `Berlin`, and `Knox, Indiana`. @param {string} zone */
function cityOf(zone) {
  const [, ...places] = zone.replaceAll('_', ' ').split('/')
  return places.reverse().join(', ') || zone
}

/** `Berlin (GMT+1)`. @param {string} zone */
export const zoneLabel = (zone) => (zone === 'UTC' ? zone : `${cityOf(zone)} (${nameOf(zone, 'shortOffset')})`)

/** What people type to find a zone. @param {string} zone */
export const zoneWords = (zone) =>
  `${zoneLabel(zone)} ${zone} ${zone.replaceAll('_', ' ')} ${nameOf(zone, 'longGeneric')}`.toLowerCase()

/** @param {string} zone @param {'shortOffset' | 'longGeneric'} form */
function nameOf(zone, form) {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: form }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
