using CoAP.Options;

namespace CoAP.Mesh;

/// <summary>The options that this endpoint acts on: what the user's registry declares, less what needs a layer that is not there.</summary>
internal static class UnderstoodOptions
{
    // A server without OSCORE, EDHOC or Q-Block has to answer 4.02 to these (RFC 7252, section 5.4.1; RFC 8613, section 8.2).
    private static readonly int[] NeedALayer =
        [Oscore.Declaration.Number, Edhoc.Declaration.Number, QBlock1.Declaration.Number, QBlock2.Declaration.Number];

    public static OptionRegistry Of(OptionRegistry registry) => registry.Without(NeedALayer);
}
