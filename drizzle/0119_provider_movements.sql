CREATE TABLE "payments"."movement_accounts" (
	"organization_id" uuid NOT NULL,
	"account" text NOT NULL,
	"read_until" timestamp (3) with time zone,
	"search" jsonb,
	"opened_at" timestamp (3) with time zone,
	CONSTRAINT "movement_accounts_organization_id_account_pk" PRIMARY KEY("organization_id","account")
);
--> statement-breakpoint
CREATE TABLE "payments"."open_movements" (
	"organization_id" uuid NOT NULL,
	"account" text NOT NULL,
	"transaction_id" text NOT NULL,
	"checks" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "open_movements_organization_id_account_transaction_id_pk" PRIMARY KEY("organization_id","account","transaction_id")
);
--> statement-breakpoint
ALTER TABLE "payments"."ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
CREATE INDEX "open_movements_due" ON "payments"."open_movements" USING btree ("due_at");--> statement-breakpoint
ALTER TABLE "payments"."ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("payments"."ledger_entries"."account" IN ('clearing', 'fees', 'merchant', 'refunds_in_transit', 'disputes_held', 'float', 'settlements_payable', 'conversion', 'bank', 'top_ups', 'reserves', 'adjustments', 'opening', 'suspense', 'corrections'));