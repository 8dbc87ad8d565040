import type { DkimSelector, RecordPurpose, SenderDomainRecord } from '../contract/senders.ts'
import { dkimSelectors } from '../contract/senders.ts'
import type { MailHost } from '../email-transports/choose.ts'
import type { senderDomains } from '../schema.ts'

export type DomainRow = typeof senderDomains.$inferSelect

/** A record that a domain needs. */
export interface WantedRecord {
  purpose: RecordPurpose
  name: string
  /** Null for a key that the provider creates. */
  value: string | null
  required: boolean
}

type Described = Pick<DomainRow, 'domain' | 'kind' | 'token' | 'publicKeys' | 'activeSelector'>

/** Where providers that sign themselves expect their records. */
const providers = {
  resend: { spfPrefix: 'send', selector: 'resend' },
  cloudflare_email: { spfPrefix: 'cf-bounce', selector: 'cf-bounce' },
} as const

const dmarcValue = 'v=DMARC1; p=quarantine'

/** `spf` is the mechanism that allows its mail server to send. */
export function wantedRecords(row: Described, { spf }: Pick<MailHost, 'spf'>): WantedRecord[] {
  const { domain, kind, token, publicKeys, activeSelector } = row
  const ownership = {
    purpose: 'ownership',
    name: `_atrium.${domain}`,
    value: `atrium-verify=${token}`,
    required: true,
  } as const
  const dmarc = { purpose: 'dmarc', name: `_dmarc.${domain}`, value: dmarcValue, required: false } as const
  if (kind !== 'smtp') {
    const { spfPrefix, selector } = providers[kind]
    return [
      ownership,
      { purpose: 'spf', name: `${spfPrefix}.${domain}`, value: spfOf(spf), required: true },
      { purpose: 'dkim1', name: `${selector}._domainkey.${domain}`, value: null, required: true },
      dmarc,
    ]
  }
  return [
    ownership,
    { purpose: 'spf', name: domain, value: spfOf(spf), required: true },
    ...dkimSelectors.map((selector) => ({
      purpose: purposeOf(selector),
      name: `${selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${publicKeys[selector] ?? ''}`,
      required: selector === activeSelector,
    })),
    dmarc,
  ]
}

const purposeOf = (selector: DkimSelector): 'dkim1' | 'dkim2' => (selector === 'atrium1' ? 'dkim1' : 'dkim2')

const spfOf = (mechanism: string): string => `v=spf1 ${mechanism} ~all`

/** Lines of a zone file. TXT values are in parts of at most 255 bytes. */
export const zoneFileOf = (records: readonly Pick<SenderDomainRecord, 'name' | 'value'>[]): string =>
  records
    .flatMap(({ name, value }) =>
      value === null
        ? []
        : [`${name}. 3600 IN TXT ${(value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ')}`],
    )
    .join('\n')
