CREATE TABLE "dashboard"."demo_bookings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"state" text DEFAULT 'booked' NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "demo_bookings_state" CHECK ("dashboard"."demo_bookings"."state" IN ('booked', 'canceled')),
	CONSTRAINT "demo_bookings_order" CHECK ("dashboard"."demo_bookings"."starts_at" < "dashboard"."demo_bookings"."ends_at"),
	CONSTRAINT "demo_bookings_sequence" CHECK ("dashboard"."demo_bookings"."sequence" >= 0)
);
--> statement-breakpoint
CREATE TABLE "dashboard"."inquiries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"topics" text[] NOT NULL,
	"name" text,
	"email" text,
	"message" text,
	"state" text DEFAULT 'open' NOT NULL,
	"handled_by" uuid,
	"handled_at" timestamp (3) with time zone,
	"confirmed_at" timestamp (3) with time zone,
	"fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "inquiries_kind_known" CHECK ("dashboard"."inquiries"."kind" IN ('contact', 'feedback', 'waitlist', 'demo')),
	CONSTRAINT "inquiries_state_known" CHECK ("dashboard"."inquiries"."state" IN ('open', 'done', 'spam')),
	CONSTRAINT "inquiries_handled" CHECK (("dashboard"."inquiries"."handled_by" IS NULL) = ("dashboard"."inquiries"."handled_at" IS NULL)),
	CONSTRAINT "inquiries_email_case" CHECK ("dashboard"."inquiries"."email" = lower("dashboard"."inquiries"."email"))
);
--> statement-breakpoint
ALTER TABLE "dashboard"."demo_bookings" ADD CONSTRAINT "demo_bookings_id_inquiries_id_fk" FOREIGN KEY ("id") REFERENCES "dashboard"."inquiries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "demo_bookings_reminders" ON "dashboard"."demo_bookings" USING btree ("starts_at") WHERE state = 'booked' AND reminded_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "inquiries_fingerprint" ON "dashboard"."inquiries" USING btree ("fingerprint");--> statement-breakpoint
CREATE INDEX "inquiries_state" ON "dashboard"."inquiries" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "inquiries_kind" ON "dashboard"."inquiries" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "inquiries_email" ON "dashboard"."inquiries" USING btree ("email");--> statement-breakpoint
CREATE INDEX "inquiries_expiry" ON "dashboard"."inquiries" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "dashboard"."demo_bookings" ADD CONSTRAINT "demo_bookings_taken" EXCLUDE USING gist (tstzrange("starts_at", "ends_at") WITH &&) WHERE ("state" = 'booked');
