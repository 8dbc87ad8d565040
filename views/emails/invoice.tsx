import { letter } from './letter.tsx'

interface SentInvoice {
  isCreditNote: boolean
  number: string
  seller: string
  /** In the buyer’s format. */
  total: string
  dueOn: string | null
  language: string
  pdfUrl: string
  payUrl: string | null
}

export const invoiceLetter = ({
  isCreditNote,
  number,
  seller,
  total,
  dueOn,
  language,
  pdfUrl,
  payUrl,
}: SentInvoice) => {
  const name = isCreditNote ? 'Credit note' : 'Invoice'
  const due =
    dueOn &&
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${dueOn}T00:00:00Z`))
  return letter({
    subject: `${name} ${number} from ${seller}`,
    paragraphs: [
      `${seller} sent you ${isCreditNote ? 'a credit note' : 'an invoice'} of ${total}.`,
      ...(due ? [`It is due on ${due}.`] : []),
    ],
    action: payUrl ? { label: `Pay ${total}`, href: payUrl } : { label: 'Open the PDF', href: pdfUrl },
    notes: payUrl ? [`The PDF: ${pdfUrl}`] : [],
  })
}
