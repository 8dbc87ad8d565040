import type { BrandInMenu, ListedPost, PostDetails } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { accountName, editHref, excerpt, networkNames, type Place } from './post-text.ts'

/** The post that a new one is a copy of. */
export interface Origin {
  id: string
  brand: { id: string; name: string }
  /** Its files that aren't in the library of the new post's brand. */
  fileIds: string[]
  brands: BrandInMenu[]
}

interface ComposerOriginProps {
  post: PostDetails | null
  place: Place
  origin?: Origin
  siblings?: ListedPost[]
}

/** What the form is a copy of, or which of several posts it changes. */
export const ComposerOrigin = ({ post, place, origin, siblings = [] }: ComposerOriginProps) =>
  post && siblings.length > 0 ? (
    <Aside>
      <Notice title={`You’re editing one post: ${nameOf(post)}`} text={othersText(siblings.length)}>
        <p class="row" data-wrap>
          {siblings.slice(0, maxShown).map((sibling) => (
            <a href={editHref(sibling)} safe>
              {nameOf(sibling)}
            </a>
          ))}
        </p>
      </Notice>
    </Aside>
  ) : origin ? (
    <Aside>
      <Notice title="Copy of a post" text={copyText(origin, place)}>
        <CopyFiles origin={origin} place={place} />
        <Brands origin={origin} current={place.brand.id} />
      </Notice>
    </Aside>
  ) : (
    <></>
  )

const maxShown = 12

const Aside = ({ children }: { children: JSX.Element }) => (
  <div class="page" style="--measure: 46rem">
    {children}
  </div>
)

const nameOf = ({ provider, accountName: name, threadId, position, text }: ListedPost): string => {
  const account = `${networkNames[provider]}, ${accountName(provider, name)}`
  return threadId === null ? account : `${account}, post ${position + 1}: ${excerpt(text, 30)}`
}

const othersText = (count: number): string =>
  count === 1
    ? 'The post that was created with it keeps its text, files and time:'
    : `The ${count} posts that were created with it keep their texts, files and times:`

const copyText = ({ brand, fileIds }: Origin, place: Place): string =>
  fileIds.length > 0
    ? `Its files are in the library of ${brand.name}. Copy them to ${place.brand.name} first, or go on without them.`
    : 'Choose the accounts to publish it to.'

const CopyFiles = ({ origin: { id, fileIds }, place }: { origin: Origin; place: Place }) =>
  fileIds.length === 0 ? (
    <></>
  ) : (
    <Form hx-post="/api/media/copies">
      <input type="hidden" name="brandId" value={place.brand.id} />
      <input type="hidden" name="postId" value={id} />
      <input type="hidden" name="mediaIds" value={fileIds.join(',')} />
      <Button type="submit" label={`Copy ${fileIds.length === 1 ? 'the file' : `${fileIds.length} files`}`} />
    </Form>
  )

const Brands = ({ origin: { id, brands }, current }: { origin: Origin; current: string }) => {
  const others = brands.filter((brand) => brand.id !== current)
  return others.length === 0 ? (
    <></>
  ) : (
    <p class="row" data-wrap>
      <span class="muted">For another brand:</span>
      {others.map((brand) => (
        <a href={copyHref(id, brand.id)} safe>
          {brand.name}
        </a>
      ))}
    </p>
  )
}

/** The composer with a copy of the post in it. */
export const copyHref = (id: string, brandId: string): string => `/workspace/posts/new?brandId=${brandId}&from=${id}`
