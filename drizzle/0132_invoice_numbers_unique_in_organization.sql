ALTER TABLE "payments"."invoices" DROP CONSTRAINT "invoices_number";--> statement-breakpoint
ALTER TABLE "payments"."merchants" DROP CONSTRAINT "merchants_prefix_form";--> statement-breakpoint
DROP INDEX "payments"."invoices_one_per_refund";--> statement-breakpoint
CREATE INDEX "invoices_by_order" ON "payments"."invoices" USING btree ("order_id") WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_per_refund" ON "payments"."invoices" USING btree ("invoice_id","refund_id") WHERE refund_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."invoices" ADD CONSTRAINT "invoices_number" UNIQUE("organization_id","number");--> statement-breakpoint
UPDATE payments.merchants SET invoice_prefix = regexp_replace(invoice_prefix, '-CN$', '-CR') WHERE invoice_prefix ~ '-CN$';--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD CONSTRAINT "merchants_prefix_form" CHECK ("payments"."merchants"."invoice_prefix" ~ '^[A-Z0-9][A-Z0-9-]{0,11}$' AND "payments"."merchants"."invoice_prefix" !~ '-CN$');