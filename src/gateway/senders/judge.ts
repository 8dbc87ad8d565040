import type { RecordFinding } from '../contract/senders.ts'
import type { WantedRecord } from './records.ts'

type Judgment = Pick<RecordFinding, 'state' | 'advice'>

/** A resolver looks up at most so many names for one SPF record (RFC 7208, 4.6.4). */
const maxSpfLookups = 10

/** What TXT records of the name mean for the domain. `inherited`: those of DMARC at the registered domain. */
export function judgeRecord(
  wanted: WantedRecord,
  found: readonly string[],
  inherited: readonly string[] = [],
): RecordFinding {
  const relevant = relevantOf(wanted, found)
  const own = { purpose: wanted.purpose, found: relevant.length > 0 ? relevant : found.slice(0, 3) }
  if (wanted.purpose === 'dmarc') return { ...own, ...judgeDmarc(relevant, inherited) }
  if (relevant.length === 0) return { ...own, ...judgeMissing(wanted, found) }
  if (wanted.purpose === 'spf') return { ...own, ...judgeSpf(wanted, relevant) }
  if (wanted.purpose === 'ownership') return { ...own, ...judgeOwnership(wanted, relevant) }
  return { ...own, ...judgeDkim(wanted, relevant) }
}

/** A key can be in several short parts, which look like records of their own. */
function relevantOf(wanted: WantedRecord, found: readonly string[]): readonly string[] {
  const isKey = wanted.purpose === 'dkim1' || wanted.purpose === 'dkim2'
  const whole = found.join('')
  if (isKey && wanted.value !== null && found.length > 1 && keyOf(whole) === keyOf(wanted.value)) return [whole]
  return found.filter((text) => isRelevant(wanted, text))
}

const keyOf = (text: string): string => tagsOf(text).get('p') ?? ''

const correct: Judgment = { state: 'correct', advice: null }
const mismatch = (advice: string): Judgment => ({ state: 'mismatch', advice })

function isRelevant({ purpose }: WantedRecord, text: string): boolean {
  if (purpose === 'spf') return /^v=spf1( |$)/i.test(text.trim())
  if (purpose === 'dmarc') return /^v=DMARC1\b/i.test(text.trim())
  if (purpose === 'ownership') return text.trim().startsWith('atrium-verify=')
  return tagsOf(text).has('p')
}

function judgeMissing({ purpose, name, value }: WantedRecord, found: readonly string[]): Judgment {
  if (purpose === 'spf')
    return { state: 'missing', advice: `Add a TXT record named ${name} with this value. There is no SPF record yet.` }
  if (value === null)
    return { state: 'missing', advice: `Add the TXT record ${name} with the value that your provider shows.` }
  if (found.length > 0)
    return mismatch(`${name} has a TXT record with another value. Add this value as a record of its own.`)
  return {
    state: 'missing',
    advice: `Add a TXT record named ${name} with this value. Changes of DNS can take an hour or longer.`,
  }
}

function judgeOwnership({ name, value }: WantedRecord, found: readonly string[]): Judgment {
  if (found.some((text) => text.trim() === value)) return correct
  return mismatch(`${name} has the value of another organization or of a former setup. Replace it with this value.`)
}

function judgeSpf({ name, value }: WantedRecord, found: readonly string[]): Judgment {
  const [record = '', ...others] = found
  if (others.length > 0)
    return mismatch(`${name} has ${found.length} SPF records, so receivers ignore all of them. Combine them into one.`)
  const [, mechanism = ''] = (value ?? '').split(' ')
  const terms = record.trim().split(/\s+/).slice(1)
  const has = terms.some((term) => term.replace(/^\+/, '').toLowerCase() === mechanism.toLowerCase())
  if (!has) return mismatch(`Keep a single SPF record and add ${mechanism} to it: ${mergeSpf(terms, mechanism)}`)
  const lookups = terms.filter((term) => /^[+~?-]?(include|a|mx|ptr|exists|redirect)([:=/]|$)/i.test(term)).length
  if (lookups > maxSpfLookups)
    return mismatch(
      `The SPF record needs more than ${maxSpfLookups} DNS lookups, so receivers ignore it. Remove entries that are no longer used.`,
    )
  if (terms.some((term) => /^\+?all$/i.test(term)))
    return {
      state: 'correct',
      advice: 'The SPF record ends in +all, which lets anyone send for this domain. Use ~all instead.',
    }
  return correct
}

/** Before the term that decides about all other servers. */
function mergeSpf(terms: readonly string[], mechanism: string): string {
  const last = terms.findIndex((term) => /^[+~?-]?all$|^redirect=/i.test(term))
  const merged = last < 0 ? [...terms, mechanism, '~all'] : terms.toSpliced(last, 0, mechanism)
  return ['v=spf1', ...merged].join(' ')
}

function judgeDkim({ name, value }: WantedRecord, found: readonly string[]): Judgment {
  const keys = found.map(keyOf)
  if (value === null)
    return keys.some((key) => key !== '')
      ? correct
      : mismatch(`${name} has an empty key, which means that it was revoked. Add the value that your provider shows.`)
  if (keys.includes(keyOf(value))) {
    if (keys.length === 1) return correct
    return mismatch(`${name} has ${keys.length} keys, so receivers can choose the wrong one. Keep only this one.`)
  }
  if (keys.every((key) => key === ''))
    return mismatch(`${name} has an empty key, which means that it was revoked. Replace it with this value.`)
  const isCut = keys.some((key) => key !== '' && keyOf(value).startsWith(key))
  return mismatch(
    isCut
      ? `The key at ${name} is cut off. Enter the whole value; values of more than 255 characters are split into several quoted parts.`
      : `${name} has another key. Replace it with this value.`,
  )
}

function judgeDmarc(found: readonly string[], inherited: readonly string[]): Judgment {
  if (found.length > 1)
    return mismatch(`There are ${found.length} DMARC records, so receivers ignore all of them. Keep one.`)
  const [record] = found.length > 0 ? found : inherited
  if (record === undefined)
    return {
      state: 'missing',
      advice:
        'Add this record so that receivers reject emails that others send in your name. Large providers require it.',
    }
  const policy = tagsOf(record).get('p')?.toLowerCase()
  if (policy === undefined || !['none', 'quarantine', 'reject'].includes(policy))
    return mismatch('The DMARC record has no valid policy. Add p=quarantine.')
  if (policy === 'none')
    return { state: 'correct', advice: 'Found with p=none. That works, but p=quarantine is safer.' }
  return correct
}

/** The tags of a DKIM or DMARC record (RFC 6376, 3.2). */
function tagsOf(text: string): Map<string, string> {
  const pairs = text.split(';').map((tag) => tag.split('='))
  return new Map(
    pairs.flatMap(([name = '', ...value]) =>
      value.length > 0 ? [[name.trim().toLowerCase(), value.join('=').replaceAll(/\s+/g, '')] as const] : [],
    ),
  )
}
