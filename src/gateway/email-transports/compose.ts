import type { OutgoingEmail } from './transport.ts'

/** The email in MIME format, signed where it has a key. Recipients of `bcc` don't appear in it. */
export async function composeMime(email: OutgoingEmail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const { from, to, cc, replyTo, subject, text, html, messageId, date, headers, dkim } = email
  const mime = await new MailComposer({
    from,
    to: to.map(toAddress),
    cc: cc.map(toAddress),
    ...(replyTo !== null && { replyTo: toAddress(replyTo) }),
    subject,
    ...(text !== null && { text }),
    ...(html !== null && { html }),
    attachments: email.attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
    messageId,
    date,
    headers: { ...headers },
    // Content is data: it must not make this server read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
    xMailer: false,
    newline: '\r\n',
  })
    .compile()
    .build()
  if (dkim === null) return mime
  const { default: Dkim } = await import('nodemailer/lib/dkim')
  const { domain: domainName, selector: keySelector, privateKey } = dkim
  const chunks: Buffer[] = []
  const signed: AsyncIterable<Buffer> = new Dkim({ domainName, keySelector, privateKey }).sign(mime)
  for await (const chunk of signed) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** An object, since an address in a text could be read as several. */
const toAddress = (address: string) => ({ name: '', address })
