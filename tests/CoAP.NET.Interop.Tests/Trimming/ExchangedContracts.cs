using CoAP.Formats;

namespace CoAP.Interop.Tests.Trimming;

[PayloadContract(typeof(ExchangedReading))]
internal sealed partial class ExchangedContracts : PayloadContracts;
