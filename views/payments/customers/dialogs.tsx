import type { Customer } from '#payments/types'
import { Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { AddressFields } from '../address.tsx'
import { customersRoute } from './filters.tsx'
import { deleteCustomerDialog, editCustomerDialog, newCustomerDialog } from './names.ts'
import { customerText } from './words.ts'

export const NewCustomerDialog = () => (
  <Dialog id={newCustomerDialog} title="New customer">
    <Form hx-post={customersRoute}>
      <div class="body stack">
        <CustomerFields id="new-customer" />
      </div>
      <DialogButtons dialog={newCustomerDialog} submit="Create customer" />
    </Form>
  </Dialog>
)

interface OfCustomer {
  customer: Customer
}

export const EditCustomerDialog = ({ customer }: OfCustomer) => (
  <Dialog id={editCustomerDialog} title="Edit customer">
    <Form hx-patch={`${customersRoute}/${customer.id}`}>
      <div class="body stack">
        <input type="hidden" name="version" value={String(customer.version)} />
        <CustomerFields id="customer" customer={customer} />
      </div>
      <DialogButtons dialog={editCustomerDialog} submit="Save" />
    </Form>
  </Dialog>
)

export const DeleteCustomerDialog = ({ customer }: OfCustomer) => (
  <Dialog id={deleteCustomerDialog} title={`Delete the personal data of ${customerText(customer)}?`}>
    <Form hx-delete={`${customersRoute}/${customer.id}`}>
      <div class="body">
        <p>
          Name, email address and all other details are deleted here and in orders, and saved payment methods are
          removed. Amounts, orders and the ledger stay under a pseudonym. This can’t be undone.
        </p>
      </div>
      <DialogButtons dialog={deleteCustomerDialog} submit="Delete personal data" danger focusCancel />
    </Form>
  </Dialog>
)

const CustomerFields = ({ id, customer }: { id: string; customer?: Customer }) => {
  const field = (name: 'name' | 'email' | 'phone' | 'taxNumber' | 'language' | 'note') => ({
    name,
    id: `${id}-${name.toLowerCase()}`,
    value: customer?.[name] ?? '',
    autocomplete: 'off',
  })
  return (
    <>
      <SelectField
        label="Type"
        name="kind"
        id={`${id}-kind`}
        value={customer?.kind ?? 'individual'}
        options={[
          { value: 'individual', label: 'Individual' },
          { value: 'company', label: 'Company' },
        ]}
      />
      <TextField label="Name" maxlength={200} autofocus {...field('name')} />
      <TextField label="Email" type="email" maxlength={254} {...field('email')} />
      <TextField label="Phone" type="tel" maxlength={30} {...field('phone')} />
      <AddressFields id={id} address={customer?.address ?? null} />
      <div class="fields">
        <TextField label="Tax number" maxlength={40} placeholder="DE123456789" {...field('taxNumber')} />
        <TextField label="Language" maxlength={12} hint="Such as de or en-GB." {...field('language')} />
      </div>
      <TextField label="Note" maxlength={2000} hint="Only your team sees it." {...field('note')} />
    </>
  )
}
