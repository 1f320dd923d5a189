namespace CoAP.Serialization;

internal enum MessageExtentKind
{
    UntilEnd,
    AtLeast,
    Exactly,
    Malformed,
}
