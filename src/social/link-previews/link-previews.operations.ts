import { operation } from '#lib/operation.ts'
import { PagePreview } from '../contract.ts'
import { PagePreviewInput } from './input.ts'
import { previewPage } from './preview-page.ts'

export const previewLink = operation({
  route: 'POST /api/link-previews',
  summary: 'Get the link preview of a web page',
  permission: 'posts:write',
  machine: true,
  input: PagePreviewInput,
  output: PagePreview,
  limit: 'uploads',
  // The page is downloaded.
  transaction: false,
  timeout: ({ config }) => config.IMAGE_WAIT_MS + 25_000,
  problems: { too_many_uploads: 429, uploads_busy: 503, upload_interrupted: 503 },
  run: (call) => previewPage(call),
})
