import type { Children } from '@kitajs/html'
import { Avatar } from '#views/ui/avatar.tsx'
import { Badge } from '#views/ui/badge.tsx'
import { Time } from '#views/ui/time.tsx'
import { accountName, type Place, type PostLine } from './line.ts'
import { stateOf } from './state.ts'

/** How long the text is, as its network counts, and how long it may be. */
export interface Characters {
  count: number
  limit: number | null
}

interface PostFactsProps {
  line: PostLine
  place: Place
  characters: Characters
}

/** What is known of a post beside its text. */
export const PostFacts = ({ line: { post, account, author }, place, characters }: PostFactsProps) => (
  <dl class="facts">
    {author ? (
      <Fact name="Author">
        <span class="row">
          <Avatar name={author} seed={post.authorId} size="sm" />
          <span safe>{author}</span>
        </span>
      </Fact>
    ) : null}
    <Fact name="Account">
      <span safe>{accountName(post.provider, account)}</span>
    </Fact>
    {post.scheduledAt ? (
      <Fact name={stateOf(post, place.now) === 'scheduled' ? 'Due' : 'Was due'}>
        <Time at={post.scheduledAt} zone={place.zone} />
      </Fact>
    ) : null}
    {post.publishedAt ? (
      <Fact name="Published">
        <Time at={post.publishedAt} zone={place.zone} />
      </Fact>
    ) : null}
    {post.tags.length > 0 ? (
      <Fact name="Tags">
        <span class="row" data-wrap>
          {post.tags.map((tag) => (
            <Badge label={tag} />
          ))}
        </span>
      </Fact>
    ) : null}
    <Fact name="Characters">
      <span safe>{charactersText(characters)}</span>
    </Fact>
    <Fact name="Version">{post.version}</Fact>
    <Fact name="Id">
      <code class="wrap-anywhere" safe>
        {post.id}
      </code>
    </Fact>
  </dl>
)

const Fact = ({ name, children }: { name: string; children: Children }) => (
  <>
    <dt safe>{name}</dt>
    <dd>{children}</dd>
  </>
)

const charactersText = ({ count, limit }: Characters): string =>
  limit === null ? String(count) : `${count} / ${limit.toLocaleString('en')}`
