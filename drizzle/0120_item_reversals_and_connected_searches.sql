CREATE TABLE "payments"."connected_searches" (
	"endpoint_id" uuid NOT NULL,
	"account" text NOT NULL,
	"organization_id" uuid,
	"searched_at" timestamp (3) with time zone NOT NULL,
	"searched_until" timestamp (3) with time zone NOT NULL,
	"search" jsonb,
	CONSTRAINT "connected_searches_endpoint_id_account_pk" PRIMARY KEY("endpoint_id","account")
);
--> statement-breakpoint
ALTER TABLE "payments"."settlement_items" ADD COLUMN "reversed_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."connected_searches" ADD CONSTRAINT "connected_searches_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "payments"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connected_searches_organization" ON "payments"."connected_searches" USING btree ("organization_id");--> statement-breakpoint
ALTER TABLE "payments"."settlement_items" ADD CONSTRAINT "settlement_items_reversed" CHECK ("payments"."settlement_items"."reversed_amount" BETWEEN 0 AND "payments"."settlement_items"."amount");