namespace CoAP.Testing;

internal static class Placeholder;
