import { z } from 'zod'
import type { Provider } from './networks.ts'

/** The card of a page below a post. Networks outside `linkPreviewsOf` make their own. */
export const LinkPreview = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  imageUrl: z.string().nullable().describe('Downloaded when the post is published.'),
})
export type LinkPreview = z.output<typeof LinkPreview>

/** On a post. */
export const LinkPreviewImage = z
  .boolean()
  .nullable()
  .describe(
    'Whether the image of the link preview is published: not where the brand requires approvals. Null without an image, once the post is published, and on networks that read the page themselves.',
  )

/** What a page says about itself, for the link preview of a post. */
export const PagePreview = LinkPreview.extend({
  imageUrl: z
    .string()
    .nullable()
    .describe(
      'Null without an image that can be downloaded, and where the brand requires approvals: the site could replace it.',
    ),
  thumbnail: z.string().nullable().describe('A small copy of the image, as a data URL.'),
})
export type PagePreview = z.output<typeof PagePreview>

/** `card`: shown as Atrium sends it. `page`: only the URL is sent, and the network reads the page itself. */
export const linkPreviewsOf: Partial<Record<Provider, 'card' | 'page'>> = {
  linkedin: 'card',
  'linkedin-page': 'card',
  facebook: 'page',
  threads: 'page',
  bluesky: 'card',
}
