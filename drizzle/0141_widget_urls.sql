-- The platform's services that have a widget. An address that an administrator has set stays.
UPDATE identity.services SET widget_url = '/api/widget?app=' || slug
WHERE widget_url IS NULL AND slug IN
  ('platform-identity', 'platform-dashboard-api', 'platform-socialize', 'platform-gateway', 'platform-pay');
