import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Caller, World } from '../support/world.ts'

export interface ShownInvoice {
  id: string
  kind: string
  status: string
  number: string | null
  orderId: string | null
  invoiceId: string | null
  refundId: string | null
  currency: string
  subtotal: number
  tax: number
  total: number
  credited: number
  reverseCharge: boolean
  issuedOn: string | null
  dueOn: string | null
  paidAt: string | null
  paidOutside: boolean
  sentTo: string | null
  version: number
  seller: { name: string; taxNumber: string | null }
  buyer: { name: string | null; email: string | null; taxNumber: string | null }
  lines: { name: string; quantity: number; taxRate: string; tax: number; total: number }[]
  taxes: { rate: string; net: number; tax: number; total: number }[]
  creditNotes: { id: string; number: string; total: number }[]
  order: { id: string; status: string } | null
  timeline: { kind: string; detail: string | null }[]
  can: Record<string, boolean>
}

export interface ShownNumbering {
  complete: boolean
  series: {
    merchant: { id: string }
    kind: string
    year: number
    first: string
    last: string
    count: number
    missing: number[]
  }[]
}

export const training = {
  currency: 'EUR',
  taxMode: 'exclusive',
  lines: [
    { name: 'Barista training', quantity: 2, unitAmount: 18_000, taxRate: '19' },
    { name: 'Coffee', quantity: 3, unitAmount: 1_000, taxRate: '7' },
  ],
  buyer: { name: 'Café Ostkreuz GmbH', email: 'einkauf@ostkreuz.example' },
}

export function invoicesOf({ fetch, fetchJson }: Pick<Caller, 'fetch' | 'fetchJson'>) {
  const read = (id: string) => fetchJson<ShownInvoice>(`GET /api/invoices/${id}`)
  return {
    read,
    draft: (draft: object = training) => fetchJson<ShownInvoice>('POST /api/invoices', draft, 201),
    issue: (draft: object = training) => fetchJson<ShownInvoice>('POST /api/invoices', { ...draft, issue: true }, 201),
    list: (query = '') => fetchJson<{ items: ShownInvoice[] }>(`GET /api/invoices${query}`),
    numbering: () => fetchJson<ShownNumbering>('GET /api/invoices/numbering'),
    refusal: async (route: string, body: unknown = {}) => {
      const response = await fetch(route, body)
      return { status: response.status, problem: await response.json() }
    },
    pdf: async (id: string) => new Uint8Array(await (await fetch(`GET /api/invoices/${id}/pdf`)).arrayBuffer()),
  }
}

export type Invoices = ReturnType<typeof invoicesOf>

/** The default merchant’s data, as they are printed. */
export const setMerchant = (
  { database, ada }: World,
  { taxNumber, timezone = 'UTC' }: { taxNumber: string | null; timezone?: string },
) => database.sql`
  UPDATE payments.merchants SET legal_name = 'Acme Coffee GmbH', tax_number = ${taxNumber}, timezone = ${timezone},
    address = ${database.sql.json({ line1: 'Oranienstraße 34', line2: null, postalCode: '10999', city: 'Berlin', region: null, country: 'DE' })}
  WHERE organization_id = ${ada.things.organizations} AND is_default`

/** As a reader of PDFs extracts it, page by page. */
export async function textOf(pdf: Uint8Array): Promise<string[]> {
  const opened = await getDocument({ data: pdf.slice(), verbosity: 0 }).promise
  const pages: string[] = []
  for (let number = 1; number <= opened.numPages; number += 1) {
    const { items } = await (await opened.getPage(number)).getTextContent()
    pages.push(
      items
        .flatMap((item) => ('str' in item ? item.str : []))
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    )
  }
  await opened.cleanup()
  return pages
}
