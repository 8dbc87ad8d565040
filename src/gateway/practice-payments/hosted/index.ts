import { authenticatePages } from './authenticate.tsx'
import { checkoutPages } from './checkout.tsx'
import { documentPages } from './documents.tsx'
import { linkPages } from './links.tsx'
import { portalPages } from './portal.tsx'
import type { HostedPage } from './visit.ts'

export const hostedPages: readonly HostedPage[] = [
  ...checkoutPages,
  ...authenticatePages,
  ...documentPages,
  ...linkPages,
  ...portalPages,
]
