CREATE TABLE "gateway"."budget_holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"server_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"request_id" text NOT NULL,
	"application_id" text,
	"api_key_id" uuid,
	"user_id" text,
	"family" text NOT NULL,
	"provider" text NOT NULL,
	"model" text,
	"amount_nano_usd" bigint NOT NULL,
	"parts" jsonb NOT NULL,
	"held_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budget_holds_amount" CHECK ("gateway"."budget_holds"."amount_nano_usd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "gateway"."budget_leases" (
	"server_id" uuid NOT NULL,
	"limit_id" uuid NOT NULL,
	"period_start" timestamp (3) with time zone NOT NULL,
	"amount_nano_usd" bigint NOT NULL,
	CONSTRAINT "budget_leases_server_id_limit_id_period_start_pk" PRIMARY KEY("server_id","limit_id","period_start"),
	CONSTRAINT "budget_leases_amount" CHECK ("gateway"."budget_leases"."amount_nano_usd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "gateway"."budget_periods" (
	"limit_id" uuid NOT NULL,
	"period_start" timestamp (3) with time zone NOT NULL,
	"period_end" timestamp (3) with time zone,
	"spent_nano_usd" bigint DEFAULT 0 NOT NULL,
	"leased_nano_usd" bigint DEFAULT 0 NOT NULL,
	"warned_percent" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "budget_periods_limit_id_period_start_pk" PRIMARY KEY("limit_id","period_start"),
	CONSTRAINT "budget_periods_leased" CHECK ("gateway"."budget_periods"."leased_nano_usd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "gateway"."gateway_servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gateway"."limits_version" (
	"id" integer PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "limits_version_single" CHECK ("gateway"."limits_version"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "gateway"."limits" ADD COLUMN "counts_from" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway"."budget_holds" ADD CONSTRAINT "budget_holds_server_id_gateway_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "gateway"."gateway_servers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway"."budget_leases" ADD CONSTRAINT "budget_leases_server_id_gateway_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "gateway"."gateway_servers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway"."budget_leases" ADD CONSTRAINT "budget_leases_limit_id_limits_id_fk" FOREIGN KEY ("limit_id") REFERENCES "gateway"."limits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway"."budget_periods" ADD CONSTRAINT "budget_periods_limit_id_limits_id_fk" FOREIGN KEY ("limit_id") REFERENCES "gateway"."limits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_holds_by_server" ON "gateway"."budget_holds" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "budget_holds_by_organization" ON "gateway"."budget_holds" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "budget_leases_by_limit" ON "gateway"."budget_leases" USING btree ("limit_id","period_start");--> statement-breakpoint
CREATE INDEX "gateway_servers_by_last_seen" ON "gateway"."gateway_servers" USING btree ("last_seen_at");--> statement-breakpoint
INSERT INTO "gateway"."limits_version" VALUES (1, 1);
