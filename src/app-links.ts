import { z } from 'zod'

/** Of the native apps that open this server's links (DSH-23), as both systems' documents name them. */
export interface AndroidApp {
  name: string
  fingerprint: string
}

const appId = /^[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/
const androidApp = /^([A-Za-z]\w*(?:\.[A-Za-z]\w*)+)=([0-9A-F]{2}(?::[0-9A-F]{2}){31})$/

export const iosAppIds = z.array(
  z.string().regex(appId, 'Must be a list of app IDs, such as ABCDE12345.com.example.atrium.'),
)

export const androidApps = z.array(
  z
    .string()
    .transform((text) => text.replace(/[^=]*$/, (fingerprint) => fingerprint.toUpperCase()))
    .pipe(
      z
        .string()
        .regex(
          androidApp,
          'Must be a list such as com.example.atrium=12:AB:…, with fingerprints of 32 bytes (SHA-256).',
        )
        .transform((text): AndroidApp => {
          const [name = '', fingerprint = ''] = text.split('=')
          return { name, fingerprint }
        }),
    ),
)

interface NativeApps {
  IOS_APP_IDS: readonly string[]
  ANDROID_APPS: readonly AndroidApp[]
}

/** The paths that native apps open: launches, and the end of signing in. */
const components = [
  { '/': '/launch/*', comment: 'Opens an app' },
  { '/': '/auth/callback', comment: 'Ends signing in' },
]

const appleDocument = ({ IOS_APP_IDS: appIDs }: NativeApps) => ({
  applinks: { details: appIDs.length > 0 ? [{ appIDs, components }] : [] },
})

function androidDocument({ ANDROID_APPS: apps }: NativeApps) {
  const fingerprints = Map.groupBy(apps, ({ name }) => name)
  return [...fingerprints].map(([name, same]) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: name,
      sha256_cert_fingerprints: same.map(({ fingerprint }) => fingerprint),
    },
  }))
}

const documents = new Map<string, (apps: NativeApps) => unknown>([
  ['/.well-known/apple-app-site-association', appleDocument],
  ['/.well-known/assetlinks.json', androidDocument],
])

/** Without a native app, they are valid documents that name none. */
export function serveAppLinks(path: string, apps: NativeApps): Response | undefined {
  const describe = documents.get(path)
  return describe && Response.json(describe(apps), { headers: { 'cache-control': 'public, max-age=3600' } })
}
