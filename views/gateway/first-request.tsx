import { ButtonLink } from '#views/ui/button.tsx'
import { Payload } from '#views/ui/payload.tsx'

export interface FirstRequestProps {
  /** Of this server. */
  baseUrl: string
  model: string
}

const curl = ({ baseUrl, model }: FirstRequestProps): string => `curl ${baseUrl}/api/ai/v1/chat/completions \\
  -H "Authorization: Bearer $ATRIUM_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "model": "${model}", "messages": [{ "role": "user", "content": "Hello" }] }'`

/** What to do first in an organization without usage. */
export const FirstRequest = (props: FirstRequestProps) => (
  <section class="card" aria-labelledby="first-request">
    <header>
      <h2 id="first-request">Send your first request</h2>
    </header>
    <div class="body stack">
      <p class="prose">
        Create an API key for the gateway with the scope <code>ai.invoke</code>, and send it with a request. The
        official OpenAI client works too, with the base URL <code safe>{`${props.baseUrl}/api/ai/v1`}</code>.
      </p>
      <Payload label="Request" text={curl(props)} />
      <div class="actions">
        <ButtonLink label="Create an API key" icon="key-round" variant="primary" href="/settings/keys" />
      </div>
    </div>
  </section>
)
