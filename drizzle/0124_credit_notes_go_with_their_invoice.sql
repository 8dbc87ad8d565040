ALTER TABLE "payments"."invoices" DROP CONSTRAINT "invoices_original";
--> statement-breakpoint
ALTER TABLE "payments"."invoices" ADD CONSTRAINT "invoices_original" FOREIGN KEY ("invoice_id") REFERENCES "payments"."invoices"("id") ON DELETE cascade ON UPDATE no action;