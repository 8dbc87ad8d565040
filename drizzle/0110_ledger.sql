CREATE TABLE "payments"."ledger_balances" (
	"merchant_id" uuid NOT NULL,
	"venue_id" uuid NOT NULL,
	"account" text NOT NULL,
	"currency" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"balance" bigint NOT NULL,
	CONSTRAINT "ledger_balances_merchant_id_venue_id_account_currency_pk" PRIMARY KEY("merchant_id","venue_id","account","currency")
);
--> statement-breakpoint
CREATE TABLE "payments"."ledger_entries" (
	"transaction_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"venue_id" uuid,
	"account" text NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "ledger_entries_transaction_id_position_pk" PRIMARY KEY("transaction_id","position"),
	CONSTRAINT "ledger_entries_amount" CHECK ("payments"."ledger_entries"."amount" <> 0),
	CONSTRAINT "ledger_entries_position" CHECK ("payments"."ledger_entries"."position" > 0),
	CONSTRAINT "ledger_entries_account" CHECK ("payments"."ledger_entries"."account" IN ('clearing', 'fees', 'merchant', 'refunds_in_transit', 'disputes_held', 'float', 'settlements_payable', 'corrections'))
);
--> statement-breakpoint
CREATE TABLE "payments"."ledger_heads" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments"."ledger_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"order_id" uuid,
	"refund_id" uuid,
	"dispute_id" uuid,
	"item_id" uuid,
	"provider_transaction_id" text,
	"corrects_id" uuid,
	"note" text,
	"created_by" uuid,
	"entry_count" integer NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "ledger_transactions_sequence" UNIQUE("merchant_id","sequence"),
	CONSTRAINT "ledger_transactions_positive" CHECK ("payments"."ledger_transactions"."sequence" > 0),
	CONSTRAINT "ledger_transactions_entries" CHECK ("payments"."ledger_transactions"."entry_count" >= 2),
	CONSTRAINT "ledger_transactions_hashes" CHECK ("payments"."ledger_transactions"."hash" ~ '^[0-9a-f]{64}$' AND "payments"."ledger_transactions"."previous_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "payments"."ledger_heads" ADD CONSTRAINT "ledger_heads_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "payments"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_balances_by_organization" ON "payments"."ledger_balances" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_by_account" ON "payments"."ledger_entries" USING btree ("organization_id","account","transaction_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_by_merchant" ON "payments"."ledger_entries" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "ledger_heads_by_organization" ON "payments"."ledger_heads" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_provider" ON "payments"."ledger_transactions" USING btree ("organization_id","provider_transaction_id","kind") WHERE provider_transaction_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "ledger_transactions_newest" ON "payments"."ledger_transactions" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "ledger_transactions_by_kind" ON "payments"."ledger_transactions" USING btree ("organization_id","kind","id");--> statement-breakpoint
CREATE INDEX "ledger_transactions_by_currency" ON "payments"."ledger_transactions" USING btree ("organization_id","currency","id");--> statement-breakpoint
CREATE INDEX "ledger_transactions_by_time" ON "payments"."ledger_transactions" USING btree ("organization_id","at");--> statement-breakpoint
CREATE INDEX "ledger_transactions_by_order" ON "payments"."ledger_transactions" USING btree ("order_id") WHERE order_id IS NOT NULL;