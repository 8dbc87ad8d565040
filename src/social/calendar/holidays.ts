import { z } from 'zod'
import type { Holiday } from '../contract.ts'

/** Nothing of the library is loaded before the first calendar is: it is large. */
const load = () => import('date-holidays')

const Zones = z.record(z.string(), z.object({ zones: z.array(z.string()).optional() }))

let countries: Promise<Map<string, string>> | undefined

/** The country that a time zone is of; null where there is none, as for UTC. */
export async function countryOf(timeZone: string): Promise<string | null> {
  countries ??= readCountries()
  return (await countries).get(timeZone) ?? null
}

/** A zone of several countries is that of the first by code, as the library lists them: Zurich is Swiss. */
async function readCountries(): Promise<Map<string, string>> {
  const { data } = z.object({ data: z.object({ holidays: Zones }) }).parse(await import('date-holidays/data'))
  const found = new Map<string, string>()
  for (const [country, { zones = [] }] of Object.entries(data.holidays))
    for (const zone of zones) if (!found.has(zone)) found.set(zone, country)
  return found
}

const maxYears = 200
/** By country and year: a calendar asks for the same ones again and again. */
const years = new Map<string, Holiday[]>()

interface Days {
  /** A code, such as DE. */
  country: string
  /** Both included. */
  from: string
  to: string
}

/** The public holidays of a whole country, in its language, by day. */
export async function listHolidays({ country, from, to }: Days): Promise<Holiday[]> {
  const [first, last] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))]
  const found: Holiday[] = []
  // A holiday can last from one year into the next.
  for (let year = first - 1; year <= last; year++) found.push(...(await ofYear(country, year)))
  return found.filter(({ date }) => date >= from && date <= to)
}

async function ofYear(country: string, year: number): Promise<Holiday[]> {
  const key = `${country} ${year}`
  const known = years.get(key)
  if (known) return known
  const { default: Holidays } = await load()
  const listed = new Holidays(country).getHolidays(year)
  const holidays = (Array.isArray(listed) ? listed : [])
    .filter(({ type }) => type === 'public')
    .flatMap(({ date, start, end, name }) =>
      daysOf(date, end.getTime() - start.getTime()).map((day) => ({ date: day, name })),
    )
  if (years.size >= maxYears) years.clear()
  years.set(key, holidays)
  return holidays
}

const dayMs = 24 * 60 * 60_000

/** Some take several days. `date` is local, such as `2026-12-25 00:00:00`. */
function daysOf(date: string, ms: number): string[] {
  const first = Temporal.PlainDate.from(date.slice(0, 10))
  return Array.from({ length: Math.max(1, Math.round(ms / dayMs)) }, (_, days) => first.add({ days }).toString())
}
