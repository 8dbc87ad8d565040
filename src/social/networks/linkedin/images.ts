import { z } from 'zod'
import { truncate } from '#lib/text.ts'
import type { PublishCall } from '../network.ts'
import { unexpectedResponse } from '../not-created.ts'
import { accessTokenOf } from '../oauth.ts'
import { request, step } from './api.ts'

const maxAltCharacters = 4086

const Upload = z.object({ value: z.object({ uploadUrl: z.url(), image: z.string().regex(/^urn:li:image:[\w-]+$/) }) })

/** One file at a time, to hold only one in memory. @throws NotCreatedError */
export async function uploadImages(call: PublishCall, owner: string): Promise<{ id: string; altText: string }[]> {
  const images: { id: string; altText: string }[] = []
  for (const { alt, contentType, bytes } of call.media) {
    const path = '/rest/images?action=initializeUpload'
    const started = await step(() => request(call, path, 'POST', { initializeUploadRequest: { owner } }))
    const upload = Upload.safeParse(await started.json().catch(() => null))
    if (!upload.success) throw unexpectedResponse('LinkedIn')
    const { uploadUrl, image: id } = upload.data.value
    const body = await bytes()
    await step(() => put(call, uploadUrl, { contentType, body }))
    images.push({ id, altText: truncate(alt, maxAltCharacters) })
  }
  return images
}

/** The token is sent to LinkedIn alone. */
function put(
  { account, outside, signal }: PublishCall,
  uploadUrl: string,
  { contentType, body }: { contentType: string; body: Uint8Array<ArrayBuffer> },
): Promise<Response> {
  const isOwn = new URL(uploadUrl).hostname.endsWith('.linkedin.com')
  return outside.fetch(outside.at(uploadUrl), {
    method: 'PUT',
    headers: {
      'content-type': contentType,
      ...(isOwn && { authorization: `Bearer ${accessTokenOf(account.tokens)}` }),
    },
    body,
    signal,
  })
}
