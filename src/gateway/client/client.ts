import type { MailTransport } from '#lib/mail/transport.ts'
import { createMailTransport } from './email.ts'
import { createImagesClient, type ImagesClient } from './images.ts'
import { createPaymentsClient, type PaymentsClient } from './payments.ts'
import { createGatewayRequests, type RequestsOptions } from './requests.ts'
import { createSocialCredentials, type SocialCredentials } from './social.ts'
import { createVideoClient, type VideoClient } from './video.ts'

/** Calls throw a Problem: 503 `gateway_unavailable` without its response. None can be made in a transaction. */
export interface GatewayClient {
  /** Whether it runs in this process or has a URL. */
  readonly isConfigured: boolean
  readonly social: SocialCredentials
  readonly images: ImagesClient
  readonly video: VideoClient
  readonly payments: PaymentsClient
  readonly mail: MailTransport
}

declare module '#lib/call.ts' {
  interface Provided {
    readonly gateway: GatewayClient
  }
}

/** `fetch` can be this process's own server. `caller` is the slug of the service whose outbox sends emails. */
export function createGatewayClient({
  caller,
  imagesTimeoutMs,
  paymentsTimeoutMs,
  ...options
}: RequestsOptions & { caller: string; imagesTimeoutMs: number; paymentsTimeoutMs: number }): GatewayClient {
  const requests = createGatewayRequests(options)
  return {
    isConfigured: requests.isConfigured,
    social: createSocialCredentials(requests),
    images: createImagesClient(requests, imagesTimeoutMs),
    video: createVideoClient(requests),
    payments: createPaymentsClient(requests, paymentsTimeoutMs),
    mail: createMailTransport(requests, caller),
  }
}
