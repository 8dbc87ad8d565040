import type { Letter } from '#lib/mail.ts'

interface Words {
  subject: string
  paragraphs: string[]
  /** Listed below the paragraphs. */
  items?: Item[]
  action: { label: string; href: string }
  notes: string[]
}

interface Item {
  title: string
  reason: string
  href: string
}

/** HTML without style sheets, images and scripts, which mail programs block. */
export const letter = (words: Words): Letter => ({
  subject: words.subject,
  text: plain(words),
  html: <Drawn words={words} />,
})

const plain = ({ paragraphs, items = [], action, notes }: Words): string =>
  `${[...paragraphs, ...items.map(plainItem), `${action.label}:\n${action.href}`, ...notes, '— Atrium'].join('\n\n')}\n`

const plainItem = ({ title, reason, href }: Item): string => `${title}\n${reason}\n${href}`

const page = 'margin:0;padding:32px 16px;background:#f3f7f8;color:#172024;font:16px/1.5 system-ui,sans-serif'
const sheet =
  'max-width:512px;margin:0 auto;padding:32px;border:1px solid #dbe3e5;border-radius:12px;background:#ffffff'
const button =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#02626b;color:#ffffff;font-weight:600;text-decoration:none'
const entry = 'margin:0 0 12px;padding:12px 0 0;border-top:1px solid #dbe3e5'
const link = 'color:#02626b;font-weight:600;text-decoration:none'
const detail = 'margin:4px 0 0;color:#4d5c63;font-size:14px'
const note = 'margin:16px 0 0;color:#4d5c63;font-size:14px'

const Drawn = ({ words: { subject, paragraphs, items = [], action, notes } }: { words: Words }) => (
  <>
    {'<!doctype html>'}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title safe>{subject}</title>
      </head>
      <body style={page}>
        <div style={sheet}>
          {paragraphs.map((paragraph) => (
            <p style="margin:0 0 16px" safe>
              {paragraph}
            </p>
          ))}
          {items.map(({ title, reason, href }) => (
            <div style={entry}>
              <a href={href} style={link} target="_blank" rel="noopener" safe>
                {title}
              </a>
              <p style={detail} safe>
                {reason}
              </p>
            </div>
          ))}
          <p style="margin:24px 0">
            <a href={action.href} style={button} target="_blank" rel="noopener" safe>
              {action.label}
            </a>
          </p>
          {notes.map((each) => (
            <p style={note} safe>
              {each}
            </p>
          ))}
        </div>
      </body>
    </html>
  </>
)
