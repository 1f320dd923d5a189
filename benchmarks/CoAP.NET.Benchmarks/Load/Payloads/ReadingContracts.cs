using CoAP.Formats;

namespace CoAP.Load;

/// <summary>The contract for CBOR and MessagePack.</summary>
[PayloadContract(typeof(Reading))]
internal sealed partial class ReadingContracts : PayloadContracts;
