using CoAP.Options;

namespace CoAP.Mesh;

/// <summary>The options that this endpoint acts on: what the user's registry declares, less what needs a layer that is not there.</summary>
internal static class UnderstoodOptions
{
    // A server without OSCORE or EDHOC has to answer 4.02 to these (RFC 7252, section 5.4.1; RFC 8613, section 8.2).
    private static readonly int[] NeedALayer = [Oscore.Declaration.Number, Edhoc.Declaration.Number];

    // Both or neither (RFC 9177, section 4.1).
    private static readonly int[] QBlock = [QBlock1.Declaration.Number, QBlock2.Declaration.Number];

    /// <summary>Over reliable transports, where there is no use for Q-Block (RFC 9177, section 3).</summary>
    public static OptionRegistry Of(OptionRegistry registry) => registry.Without([.. NeedALayer, .. QBlock]);

    /// <summary>Over datagrams.</summary>
    public static OptionRegistry OfDatagrams(CoapEndpointSettings settings) =>
        settings.RobustTransfers.AcceptsFromPeers ? settings.Options.Without(NeedALayer) : Of(settings.Options);
}
