import { slugOf } from '#lib/slug.ts'
import type { GenerationRow } from './generations.ts'
import type { StoredImage } from './store.ts'

/** Such as `a-bottle-of-maple-syrup.png`, by the prompt. */
export function imageNames({ prompt }: Pick<GenerationRow, 'prompt'>, images: readonly StoredImage[]): string[] {
  const name = slugOf(prompt.split(/\s+/).slice(0, 7).join(' '), 'image')
  return images.map(({ prepared }, at) => {
    const number = images.length > 1 ? `-${at + 1}` : ''
    return `${name}${number}.${prepared.original.contentType.replace('image/', '').replace('jpeg', 'jpg')}`
  })
}
