export const newCustomerDialog = 'new-customer'
export const editCustomerDialog = 'edit-customer'
export const deleteCustomerDialog = 'delete-customer'
