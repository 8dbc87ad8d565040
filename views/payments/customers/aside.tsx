import type { Customer } from '#payments/types'
import { Time } from '#views/ui/time.tsx'
import { Fact, MetadataFacts } from '../facts.tsx'
import { addressLines } from '../address.tsx'

interface OfCustomer {
  customer: Customer
}

export const CustomerAside = ({ customer }: OfCustomer) => (
  <aside class="stack" style="--gap: var(--space-6)" aria-label="About the customer">
    <Contact customer={customer} />
    <section class="section" aria-labelledby="tax">
      <h2 id="tax">Tax</h2>
      <dl class="facts">
        <Fact name="Type">
          <span>{customer.kind === 'company' ? 'Company' : 'Individual'}</span>
        </Fact>
        {customer.taxNumber ? (
          <Fact name="Tax number">
            <span class="wrap-anywhere" safe>
              {customer.taxNumber}
            </span>
          </Fact>
        ) : null}
      </dl>
    </section>
    {customer.note ? (
      <section class="section" aria-labelledby="note">
        <h2 id="note">Note</h2>
        <p class="wrap-anywhere" safe>
          {customer.note}
        </p>
      </section>
    ) : null}
    <Details customer={customer} />
  </aside>
)

const Contact = ({ customer: { email, phone, language, address } }: OfCustomer) => (
  <section class="section" aria-labelledby="contact">
    <h2 id="contact">Contact</h2>
    {email || phone || language || address ? (
      <dl class="facts">
        {email ? (
          <Fact name="Email">
            <a class="wrap-anywhere" href={`mailto:${encodeURIComponent(email)}`} safe>
              {email}
            </a>
          </Fact>
        ) : null}
        {phone ? (
          <Fact name="Phone">
            <span class="wrap-anywhere" safe>
              {phone}
            </span>
          </Fact>
        ) : null}
        {language ? (
          <Fact name="Language">
            <span safe>{language}</span>
          </Fact>
        ) : null}
        {address ? (
          <Fact name="Address">
            <span class="wrap-anywhere" safe>
              {addressLines(address).join(', ')}
            </span>
          </Fact>
        ) : null}
      </dl>
    ) : (
      <p class="muted">No contact details.</p>
    )}
  </section>
)

const Details = ({ customer }: OfCustomer) => (
  <section class="section" aria-labelledby="details">
    <h2 id="details">Details</h2>
    <dl class="facts">
      <Fact name="Created">
        <Time at={customer.createdAt} form="shortDay" />
      </Fact>
      <MetadataFacts metadata={customer.metadata} id={customer.id} />
    </dl>
  </section>
)
