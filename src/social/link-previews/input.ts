import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'

export const WebAddress = plainText(2000).pipe(
  z.url({ protocol: /^https?$/, error: 'Must be a URL, such as https://example.com.' }),
)

export const maxTitle = 300
export const maxDescription = 1000

/** A form without a card sends an empty URL. */
export const LinkPreviewInput = z.preprocess(
  (value) => (hasEmptyUrl(value) ? null : value),
  z
    .strictObject({
      url: WebAddress,
      title: plainText(maxTitle).trim().min(1, 'Enter a title.'),
      description: plainText(maxDescription).trim().default(''),
      imageUrl: z
        .preprocess((value) => (value === '' ? null : value), WebAddress.nullable())
        .default(null)
        .describe('An image that is downloaded when the post is published. Without one, the card has none.'),
    })
    .nullable(),
)

const hasEmptyUrl = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'url' in value && value.url === ''

export const PagePreviewInput = z.object({ brandId: Id, url: WebAddress })
export type PagePreviewInput = z.output<typeof PagePreviewInput>
