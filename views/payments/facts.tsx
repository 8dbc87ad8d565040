import type { Children } from '@kitajs/html'

/** Of a list of facts. */
export const Fact = ({ name, children }: { name: string; children: Children }) => (
  <>
    <dt class="wrap-anywhere" safe>
      {name}
    </dt>
    <dd>{children}</dd>
  </>
)

/** What the API’s callers stored with an object, and its ID. */
export const MetadataFacts = ({ metadata, id }: { metadata: Record<string, string>; id: string }) => (
  <>
    {[...Object.entries(metadata), ['ID', id] as const].map(([name, value]) => (
      <Fact name={name}>
        <code class="wrap-anywhere" safe>
          {value}
        </code>
      </Fact>
    ))}
  </>
)
