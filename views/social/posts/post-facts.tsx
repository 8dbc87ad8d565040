import type { Children } from '@kitajs/html'
import type { PostDetails } from '#social/types'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { visibilities } from './composer-youtube.tsx'
import { accountName, type Place } from './post-text.ts'

interface PostFactsProps {
  post: PostDetails
  place: Place
}

export const PostFacts = ({ post, place }: PostFactsProps) => (
  <dl class="facts">
    {post.authorName ? (
      <Fact name="Author">
        <span class="row">
          <Avatar name={post.authorName} seed={post.authorId} size="sm" />
          <span safe>{post.authorName}</span>
        </span>
      </Fact>
    ) : null}
    <Fact name="Account">
      <span safe>{accountName(post.provider, post.accountName)}</span>
    </Fact>
    {post.scheduledAt ? (
      <Fact name={post.status === 'draft' ? 'Planned for' : 'Scheduled for'}>
        <Time at={post.scheduledAt} zone={place.zone} />
      </Fact>
    ) : null}
    {post.publishedAt ? (
      <Fact name="Published">
        <Time at={post.publishedAt} zone={place.zone} />
      </Fact>
    ) : null}
    {post.provider === 'youtube' ? <VideoFacts youtube={post.youtube} /> : null}
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
      <span safe>{charactersText(post)}</span>
    </Fact>
    <Fact name="Version">{post.version}</Fact>
    <Fact name="ID">
      <code class="wrap-anywhere" safe>
        {post.id}
      </code>
    </Fact>
  </dl>
)

const VideoFacts = ({ youtube }: Pick<PostDetails, 'youtube'>) => {
  const { title = null, privacy = 'private', tags = [], madeForKids = false } = youtube ?? {}
  return (
    <>
      <Fact name="Video title">
        <span class="wrap-anywhere" safe>
          {title ?? 'The first line of the text'}
        </span>
      </Fact>
      <Fact name="Visibility">
        <span safe>{visibilities.find(({ value }) => value === privacy)?.label ?? privacy}</span>
      </Fact>
      <Fact name="Audience">{madeForKids ? 'Made for kids' : 'Not made for kids'}</Fact>
      {tags.length > 0 ? (
        <Fact name="Video tags">
          <span class="wrap-anywhere" safe>
            {tags.join(', ')}
          </span>
        </Fact>
      ) : null}
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: Children }) => (
  <>
    <dt safe>{name}</dt>
    <dd>{children}</dd>
  </>
)

const charactersText = ({ characters, limits }: PostDetails): string =>
  limits ? `${characters} / ${limits.characters.toLocaleString('en')}` : String(characters)
