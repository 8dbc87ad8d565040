CREATE SCHEMA "gateway";
--> statement-breakpoint
CREATE TABLE "gateway"."limits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"scope_type" text NOT NULL,
	"scope_value" text NOT NULL,
	"family" text,
	"period" text NOT NULL,
	"mode" text NOT NULL,
	"limit_nano_usd" bigint NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "limits_scope" UNIQUE NULLS NOT DISTINCT("organization_id","scope_type","scope_value","family","period"),
	CONSTRAINT "limits_amount" CHECK ("gateway"."limits"."limit_nano_usd" >= 0),
	CONSTRAINT "limits_scope_type" CHECK ("gateway"."limits"."scope_type" IN ('platform', 'organization', 'application')),
	CONSTRAINT "limits_period" CHECK ("gateway"."limits"."period" IN ('hour', 'day', 'week', 'month', 'total')),
	CONSTRAINT "limits_mode" CHECK ("gateway"."limits"."mode" IN ('observe', 'soft', 'hard'))
);
--> statement-breakpoint
CREATE INDEX "limits_by_scope" ON "gateway"."limits" USING btree ("scope_type","scope_value");