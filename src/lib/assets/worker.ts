import { Glob } from 'bun'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minifyCss } from './css.ts'

const endsSession = ['POST /api/auth/logout', 'DELETE /api/auth/me']

/** The service worker in one file: each of its parts in a block, after what all of them use. */
export function composeWorker(folder: string, release: string, script: (path: string) => string): string {
  const read = (name: string) => readFileSync(join(folder, 'service-worker/offline', name), 'utf8')
  const style = Buffer.from(minifyCss('offline.css', read('style.css'))).toString()
  const page = read('page.html')
    .replace(/\n\s*/g, '')
    .replace('{style}', () => style)
    .replace('{script}', () => script('service-worker/offline/script.js').trim())
  const parts = [...new Glob('service-worker/*.js').scanSync(folder)].sort()
  return [
    `const worker=self,release=${JSON.stringify(release)},offlinePage=${JSON.stringify(page)},endsSession=new Set(${JSON.stringify(endsSession)});`,
    ...parts.map((path) => `{${script(path).trim()}}`),
  ].join('\n')
}
