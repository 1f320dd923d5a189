namespace CoAP.Hosting.Generation;

internal static class Placeholder;
