import type { Children } from '@kitajs/html'
import type { TagGroups } from '#lib/openapi/reference.ts'
import { titleOfName } from '#lib/text.ts'

interface ContentsProps {
  groups: TagGroups
  here: string | null
  children: Children
}

export const Contents = ({ groups, here, children }: ContentsProps) => (
  <div class="reference">
    <nav class="nav" aria-label="API reference">
      <a href="/openapi" aria-current={here === null ? 'page' : undefined}>
        Overview
      </a>
      {groups.map(({ name, tags }) => (
        <>
          <h2 safe>{name}</h2>
          {tags.map((tag) => (
            <a href={`/openapi/${tag}`} aria-current={here === tag ? 'page' : undefined} safe>
              {titleOfName(tag)}
            </a>
          ))}
        </>
      ))}
    </nav>
    <div class="stack">{children}</div>
  </div>
)
