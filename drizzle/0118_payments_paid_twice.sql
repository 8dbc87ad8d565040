DROP INDEX "payments"."payments_one_open";--> statement-breakpoint
DROP INDEX "payments"."payments_one_paid";--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD COLUMN "duplicate_of" uuid;--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD CONSTRAINT "payments_duplicate_of" FOREIGN KEY ("duplicate_of") REFERENCES "payments"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payments_duplicates" ON "payments"."payments" USING btree ("duplicate_of") WHERE duplicate_of IS NOT NULL;--> statement-breakpoint
CREATE INDEX "refunds_by_payment" ON "payments"."refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments"."payments" USING btree ("order_id") WHERE status IN ('unknown', 'requires_action', 'processing', 'authorized') AND duplicate_of IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_paid" ON "payments"."payments" USING btree ("order_id") WHERE status = 'succeeded' AND duplicate_of IS NULL;--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD CONSTRAINT "payments_not_own_duplicate" CHECK ("payments"."payments"."duplicate_of" <> "payments"."payments"."id");