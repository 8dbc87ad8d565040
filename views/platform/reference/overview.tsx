import type { TagGroups, OperationSummary } from '#lib/openapi/reference.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Code, Worded } from './code.tsx'
import { Contents } from './contents.tsx'
import { Permission, Route } from './route.tsx'

interface OverviewProps {
  about: readonly { title: string; text: string }[]
  groups: TagGroups
  lines: OperationSummary[]
  version: string
  server: string
}

export const Overview = ({ about, groups, lines, version, server }: OverviewProps) => (
  <Contents groups={groups} here={null}>
    <header class="row" data-wrap>
      <h1 class="grow">
        API reference <small safe>{version}</small>
      </h1>
      <ButtonLink label="openapi.json" icon="arrow-up-right" href="/openapi.json" />
    </header>
    <dl class="about">
      {about.map(({ title, text }) => (
        <div>
          <dt safe>{title}</dt>
          <dd>
            <Worded text={text} />
          </dd>
        </div>
      ))}
    </dl>
    <Code label="Shell variables of the examples" text={shell(server)} />
    {groups.map((group) => (
      <Group name={group.name} lines={lines.filter(({ tag }) => group.tags.includes(tag))} />
    ))}
  </Contents>
)

const Group = ({ name, lines }: { name: string; lines: OperationSummary[] }) => (
  <section class="section">
    <h2 safe>{name}</h2>
    <ul class="list routes" data-links>
      {lines.map((line) => (
        <li>
          <span class="grow">
            <a class="row-link" href={`/openapi/${line.tag}#${line.id}`}>
              <Route method={line.method} path={line.path} />
            </a>
            <small safe>{line.summary}</small>
          </span>
          <Permission name={line.permission} />
        </li>
      ))}
    </ul>
  </section>
)

const shell = (server: string): string =>
  `ATRIUM=${server}
TOKEN=$(curl -s "$ATRIUM/api/auth/login" --json '{ "email": "ada@example.com", "password": "…" }' | jq -r .accessToken)`
